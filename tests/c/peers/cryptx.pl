#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0 OR MIT
# LibTomCrypt by way of Perl's CryptX, which has stream ciphers that Debian's own package of the library lacks. Answers
# the lines of child.c.
use strict;
use warnings;
use CryptX;
use Crypt::Stream::Rabbit;
use Crypt::Stream::Salsa20;
use Crypt::Stream::Sosemanuk;

my %rounds = ('salsa20' => 20, 'salsa20-12' => 12, 'salsa20-8' => 8);

sub stream {
    my ($cipher, $key, $iv, $block) = @_;
    return Crypt::Stream::Salsa20->new($key, $iv, $block, $rounds{$cipher}) if $rounds{$cipher};
    return undef if $block != 0;
    return Crypt::Stream::Rabbit->new($key, length $iv ? $iv : ()) if $cipher eq 'rabbit';
    return Crypt::Stream::Sosemanuk->new($key, length $iv ? $iv : ()) if $cipher eq 'sosemanuk';
    return undef;
}

$| = 1;
print "CryptX $CryptX::VERSION\n";
while (<STDIN>) {
    my ($what, $cipher, $key, $iv, $block, $input) = map { /^x[0-9a-f]*$/ ? pack('H*', substr $_, 1) : $_ } split;
    my $stream = $what eq 'xor' ? stream($cipher, $key, $iv, $block) : undef;
    print $stream ? 'x' . unpack('H*', length $input ? $stream->crypt($input) : '') . "\n" : "no\n";
}

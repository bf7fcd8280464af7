// SPDX-License-Identifier: Apache-2.0 OR MIT
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.HexFormat;
import org.bouncycastle.crypto.BlockCipher;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.StreamCipher;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.engines.AsconAEAD128;
import org.bouncycastle.crypto.engines.Grain128AEADEngine;
import org.bouncycastle.crypto.engines.Grain128Engine;
import org.bouncycastle.crypto.engines.HC128Engine;
import org.bouncycastle.crypto.engines.LEAEngine;
import org.bouncycastle.crypto.engines.Salsa20Engine;
import org.bouncycastle.crypto.modes.AEADCipher;
import org.bouncycastle.crypto.modes.CCMBlockCipher;
import org.bouncycastle.crypto.modes.CFBBlockCipher;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.modes.GCMSIVBlockCipher;
import org.bouncycastle.crypto.modes.SICBlockCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/** Answers the lines of child.c with what Bouncy Castle makes. */
public final class BouncyCastle {
    private static final HexFormat HEX = HexFormat.of();

    private static byte[] bytes(String field) {
        return HEX.parseHex(field, 1, field.length());
    }

    private static StreamCipher stream(String cipher) {
        switch (cipher) {
            case "grain-128":
                return new Grain128Engine();
            case "hc-128":
                return new HC128Engine();
            case "salsa20-8":
                return new Salsa20Engine(8);
            default:
                if (!cipher.startsWith("lea-"))
                    return null;
                return cipher.endsWith("-cfb") ? new CFBBlockCipher(new LEAEngine(), 128)
                                               : new SICBlockCipher(new LEAEngine());
        }
    }

    private static String xor(String cipher, byte[] key, byte[] iv, String block, byte[] in) {
        StreamCipher stream = stream(cipher);
        if (stream == null || !block.equals("0"))
            return "no";
        stream.init(true, new ParametersWithIV(new KeyParameter(key), iv));
        byte[] out = new byte[in.length];
        stream.processBytes(in, 0, in.length, out, 0);
        return "x" + HEX.formatHex(out);
    }

    private static AEADCipher aead(String name, int tagBytes) {
        if (name.equals("ascon-aead128"))
            return tagBytes == 16 ? new AsconAEAD128() : null; // which does not look at the length
        if (name.equals("grain-128aead-v2"))
            return new Grain128AEADEngine();
        BlockCipher block = name.startsWith("lea-") ? new LEAEngine() : AESEngine.newInstance();
        if (name.endsWith("-gcm-siv"))
            return new GCMSIVBlockCipher(block);
        return name.endsWith("-gcm") ? GCMBlockCipher.newInstance(block) : CCMBlockCipher.newInstance(block);
    }

    private static String seal(String name, byte[] key, byte[] nonce, byte[] aad, byte[] in, int tagBytes)
            throws InvalidCipherTextException {
        AEADCipher aead = aead(name, tagBytes);
        if (aead == null)
            return "no";
        byte[] out;
        try {
            aead.init(true, new AEADParameters(new KeyParameter(key), 8 * tagBytes, nonce, aad));
            out = new byte[aead.getOutputSize(in.length)];
        } catch (IllegalArgumentException unlike) {
            return "no"; // a nonce or a tag of another length
        }
        int done = aead.processBytes(in, 0, in.length, out, 0);
        done += aead.doFinal(out, done);
        if (done != in.length + tagBytes)
            return "no";
        return "x" + HEX.formatHex(out, 0, in.length) + " x" + HEX.formatHex(out, in.length, done);
    }

    public static void main(String[] arguments) throws IOException, InvalidCipherTextException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        System.out.println("Bouncy Castle " + new org.bouncycastle.jce.provider.BouncyCastleProvider().getVersionStr());
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] f = line.split(" ");
            System.out.println(f[0].equals("xor")
                    ? xor(f[1], bytes(f[2]), bytes(f[3]), f[4], bytes(f[5]))
                    : seal(f[1], bytes(f[2]), bytes(f[3]), bytes(f[4]), bytes(f[5]), Integer.parseInt(f[6])));
        }
    }
}

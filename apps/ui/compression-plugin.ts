// Writes .br and .gz beside every built file worth compressing, so that the server never compresses.
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Plugin } from "vite";

const compressible = /\.(?:js|css|svg|json)$/;
const minBytes = 1_024;

export const compressionPlugin = (): Plugin => ({
  name: "precompress",
  apply: "build",
  async writeBundle({ dir = "dist" }, bundle) {
    const compress = async (name: string) => {
      const file = path.join(dir, name);
      const content = await readFile(file);
      if (content.length < minBytes) return;
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
    };
    await Promise.all(
      Object.keys(bundle)
        .filter((name) => compressible.test(name))
        .map(compress),
    );
  },
});

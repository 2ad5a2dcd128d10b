import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const site = fileURLToPath(new URL('dist/site/', import.meta.url))

/** Compresses each file once, here, so that the service only hands it out. */
const compressed = {
  name: 'compressed',
  closeBundle() {
    for (const folder of [site, `${site}assets/`]) {
      for (const name of readdirSync(folder).filter((file) => /\.(?:js|css|html|svg)$/.test(file))) {
        const bytes = readFileSync(folder + name)
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(`${folder}${name}.br`, brotliCompressSync(bytes, { params }))
        writeFileSync(`${folder}${name}.gz`, gzipSync(bytes, { level: 9 }))
      }
    }
  },
}

/** One build serves every institution: its files lie at one root address, and the page finds out where it stands by itself. */
export default {
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [compressed],
  build: {
    outDir: site,
    emptyOutDir: true,
    target: 'es2023',
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    sourcemap: false,
    // Libraries mark what runs in a browser; all of this does.
    rolldownOptions: {
      onwarn: (warning, warn) => (warning.code === 'MODULE_LEVEL_DIRECTIVE' ? undefined : warn(warning)),
    },
  },
}

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Files that compression makes smaller. index.html is not one: the cloud inserts a nonce into every answer. */
const TEXT = ['.js', '.css', '.svg', '.webmanifest']

/**
 * Writes `<file>.br` and `<file>.gz` beside each text file of the build, which the cloud serves as they are. A build
 * for screenshots lacks them, because compression takes nearly half of the time of a build.
 */
export function compressFiles(): Plugin {
  let outDir = 'dist'
  return {
    name: 'compress-files',
    apply: (_, { command, mode }) => command === 'build' && mode !== 'screenshots',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    closeBundle() {
      for (const entry of readdirSync(outDir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !TEXT.includes(extname(entry.name))) continue
        const file = join(entry.parentPath, entry.name)
        const bytes = readFileSync(file)
        writeFileSync(`${file}.br`, brotliCompressSync(bytes))
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

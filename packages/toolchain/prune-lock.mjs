/**
 * Removes optional platform packages without an entry from package-lock.json. `npm install` writes such names when the
 * registry lacks the package of a platform, and `npm ci` rejects them. `npm run lock` runs it after `npm install`.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const file = new URL('../../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(file, 'utf8'))
const present = new Set(Object.keys(lock.packages))
let removed = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    // npm installs a dependency in the node_modules of the package itself or of any folder above it.
    const found = [...present].some((p) => p.endsWith(`node_modules/${name}`))
    if (found) continue
    if (path === '') throw new Error(`${name} is our own optional dependency and is not in the lock`)
    delete entry.optionalDependencies[name]
    removed += 1
  }
  if (entry.optionalDependencies && Object.keys(entry.optionalDependencies).length === 0)
    delete entry.optionalDependencies
}
if (removed > 0) writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
// The installed packages match the lock now, so bootstrap.mjs does not install them again.
const stamp = new URL('../../node_modules/.vigia-lock-hash', import.meta.url)
writeFileSync(stamp, createHash('sha256').update(readFileSync(file)).digest('hex'))
process.stdout.write(`${removed} absent optional packages removed from package-lock.json\n`)

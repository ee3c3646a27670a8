/**
 * Writes the proofs of the built-in models: `npm run proofs --workspace @vigia/model-tools -- --write`. Without
 * `--write` it compares them with what this processor computes; its exit code is 1 for a difference.
 */
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { builtInModels } from '@vigia/vision/built-in-models'
import { createInput } from '@vigia/vision/input'
import { fasterVersion, type ModelManifest } from '@vigia/vision/manifest'
import { compare, proofPicture, readProof, sample } from '@vigia/vision/proof'
import { modelManifest } from '@vigia/vision/registry'
import { openSession } from '@vigia/vision/session'

const write = process.argv.includes('--write')
for (const { id } of builtInModels) {
  const normal = modelManifest(id)
  for (const manifest of [normal, fasterVersion(normal)]) if (manifest?.prova) await prove(manifest, manifest.prova)
}

async function prove(manifest: ModelManifest, prova: string): Promise<void> {
  const session = await openSession(manifest)
  const input = createInput(manifest)
  const tensor = input.fill(proofPicture(input.width, input.height))
  const outputs = await session.run({ [session.inputNames[0] ?? '']: tensor })
  const path = join(dirname(manifest.caminho), prova)
  const found = sample(outputs as unknown as Parameters<typeof sample>[0])
  if (write) await writeFile(path, `${JSON.stringify(found)}\n`)
  compare(found, await readProof(path))
  console.log(`${manifest.arquivo}: ok`)
  await session.release()
}

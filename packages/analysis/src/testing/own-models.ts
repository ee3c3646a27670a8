import { copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TarefaVisao } from '@vigia/vision/manifest'
import { defaultDetectorId, modelManifest } from '@vigia/vision/registry'

/**
 * A folder with a model that an installer brings for `tarefa`: the built-in detector, whose labels have other names (`nomes`: its label → label
 * of the product). The caller removes the folder.
 */
export async function ownModel(tarefa: TarefaVisao, nomes: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-modelos-'))
  const { caminho, uso, ...manifest } = modelManifest(defaultDetectorId)
  await copyFile(caminho, join(folder, manifest.arquivo))
  await writeFile(
    join(folder, `${tarefa}.json`),
    JSON.stringify({ ...manifest, id: `${tarefa}-proprio`, tarefa, nomes }),
  )
  return folder
}

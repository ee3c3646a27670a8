import { copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TarefaVisao } from '@vigia/vision/manifest'
import { defaultDetectorId, modelManifest } from '@vigia/vision/registry'

/**
 * Creates a folder with an installer's model for `tarefa`: the built-in detector with renamed labels (`nomes`: its
 * label → label of the product). The caller removes the folder.
 */
export async function ownModel(tarefa: TarefaVisao, nomes: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-modelos-'))
  const { caminho, uso, prova, leve, ...manifest } = modelManifest(defaultDetectorId)
  await copyFile(caminho, join(folder, manifest.arquivo))
  await writeFile(
    join(folder, `${tarefa}.json`),
    JSON.stringify({ ...manifest, id: `${tarefa}-proprio`, tarefa, nomes }),
  )
  return folder
}

import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TarefaVisao } from '@vigia/vision/manifest'
import type { ModelRunner } from '@vigia/vision/model-runner'
import { defaultDetectorId, modelManifest } from '@vigia/vision/registry'
import { openModelRunner, rememberDetections } from './open-model-runner.ts'

/** A runner of an installer's model (`ownModel`) beside the built-in one of people; equal pictures run once. */
export async function openOwnRunner(tarefa: TarefaVisao, nomes: Record<string, string>): Promise<ModelRunner> {
  const folder = await ownModel(tarefa, nomes)
  const runner = rememberDetections(await openModelRunner(['objetos', tarefa], folder))
  return {
    ...runner,
    async close() {
      await runner.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

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

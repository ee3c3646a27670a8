import { accessSync, constants, existsSync } from 'node:fs'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import { mediaFolder } from '../../adapters/media-store/open-media-store.ts'
import { runWriters } from '../../adapters/media-store/run-writers.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/open.ts'
import { sampleFiles } from '../../db/sample-files.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** `openMediaStore` has tried an object store already. */
export function checkMediaStore(config: Config): Finding {
  const folder = mediaFolder(config)
  if (folder === null) return ok(`bucket ${config.midia?.bucket}: lista, grava, lê e apaga`)
  if (!existsSync(folder)) return ok(`${folder} (nenhum arquivo ainda)`)
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return ok(folder)
  } catch {
    return failure(`Este usuário não grava em ${folder}. Mude o dono com chown, ou rode como ele.`)
  }
}

/** Whether the files of some rows exist. */
export async function checkSample(db: Database, media: MediaStore): Promise<Finding> {
  const paths = await sampleFiles(db)
  const missing: string[] = []
  await runWriters(paths, async (path) => {
    if ((await media.size(path)) === null) missing.push(path)
  })
  if (missing.length === 0) return ok(`${paths.length} de ${paths.length} arquivos da amostra existem`)
  const found = `Faltam ${missing.length} de ${paths.length} arquivos da amostra (${missing[0]}).`
  return missing.length * 10 > paths.length
    ? failure(`${found} Confira VIGIA_MIDIA e VIGIA_DATA_DIR, ou restaure uma cópia.`)
    : warning(`${found} Conte todos: vigia conciliar-midia.`)
}

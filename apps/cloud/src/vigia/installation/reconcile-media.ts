import { pino } from 'pino'
import { systemClock } from '../../adapters/clock.ts'
import { openMediaStore } from '../../adapters/media-store/open-media-store.ts'
import { openInstallation } from '../../db/place.ts'
import { reconcileMedia } from '../../domains/operacao/retencao/conciliacao/reconcile-media.ts'
import { readStoredAges } from '../../domains/operacao/saude/relogio/stored-ages.ts'
import type { Command } from '../command.ts'

/**
 * Deletes files of the media store that no record names, and reports records without a file. The service may run. With
 * `--apagar` it also deletes if a large part of the files lacks a record, for example after an old backup was restored.
 */
export const conciliateMedia: Command = async ({ config: load, print, progress }, { flags }) => {
  const config = load()
  const media = await openMediaStore(config)
  const db = await openInstallation(config)
  try {
    progress.begin('Arquivos', null)
    const always = flags.has('apagar')
    // A person who asks for the deletion confirms the clock.
    const ages = always ? systemClock : await readStoredAges(db, systemClock)
    const deps = { db, media, clock: ages, log: pino(pino.destination(2)) }
    const { files, orphans, deleted, missing } = await reconcileMedia(deps, {
      signal: new AbortController().signal,
      pause: 1,
      always,
      onFiles: progress.add,
    })
    progress.end()
    const kept = deleted < orphans ? ' Não foram apagados, porque são muitos: confira o banco e rode com --apagar.' : ''
    print(`${files} arquivos, ${orphans} sem registro, ${deleted} apagados, ${missing} registros sem arquivo.${kept}`)
    return 0
  } finally {
    progress.end()
    await db.destroy()
  }
}

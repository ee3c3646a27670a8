if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `O Vigia precisa do Node 24 ou mais novo (este é o ${process.versions.node}): use o mesmo que o serviço usa.`,
  )
  process.exit(1)
}

const { pino } = await import('pino')
const { systemClock } = await import('./adapters/clock.ts')
const { openMediaStore } = await import('./adapters/media-store/open-media-store.ts')
const { ConfigError, loadConfig } = await import('./config.ts')
const { DataError } = await import('./db/errors.ts')
const { openInstallation } = await import('./db/place.ts')
const { reconcileMedia } = await import('./features/retencao/conciliacao/reconcile-media.ts')

/**
 * Deletes files of the media store that no record names, and reports records without a file. The service may run. With
 * `--apagar` it also deletes if a large part of the files lacks a record, for example after an old backup was restored.
 */
async function run(always: boolean): Promise<string> {
  const config = loadConfig(process.env)
  const media = await openMediaStore(config)
  const db = await openInstallation(config)
  try {
    const deps = { db, media, clock: systemClock, log: pino() }
    const { files, orphans, deleted, missing } = await reconcileMedia(deps, {
      ...{ signal: new AbortController().signal, pause: 1, always },
    })
    const kept = deleted < orphans ? ' Não foram apagados, porque são muitos: confira o banco e rode com --apagar.' : ''
    return `${files} arquivos, ${orphans} sem registro, ${deleted} apagados, ${missing} registros sem arquivo.${kept}`
  } finally {
    await db.destroy()
  }
}

try {
  console.log(await run(process.argv.includes('--apagar')))
} catch (error) {
  console.error(
    error instanceof ConfigError || error instanceof DataError ? error.message : `Não foi possível. ${String(error)}`,
  )
  process.exitCode = 1
}

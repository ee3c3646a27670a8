import type { MediaStore } from '../../adapters/media-store/interface.ts'
import { openMediaStore } from '../../adapters/media-store/open-media-store.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/open.ts'
import { openInstallation } from '../../db/place.ts'
import type { Command } from '../command.ts'
import { explain } from '../explain.ts'
import { checkClock, checkDatabase } from './check-database.ts'
import { checkFolder } from './check-folder.ts'
import { checkBroker, checkCertificates, checkDisk, checkService, isClockSynchronized } from './check-machine.ts'
import { checkMediaStore, checkSample } from './check-media.ts'
import { checkSecrets } from './check-secrets.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

const WIDTH = 22

/** Checks an installation and prints one line per check. Changes nothing. @returns 1 if a check failed */
export const diagnose: Command = async ({ config: load, print, progress }) => {
  let failures = 0
  const check: Check = async (name, run) => {
    progress.begin(name, null)
    const found = await Promise.resolve()
      .then(run)
      .catch((error: unknown) => failure(explain(error)))
    progress.end()
    if (found.estado === 'FALHA') failures += 1
    print(`${found.estado.padEnd(8)} ${name.padEnd(WIDTH)} ${found.frase}`)
  }
  const config = await opened(check, 'Configuração', load, () => ok('válida'))
  if (config !== null) await checkAll(config, check)
  print(failures === 0 ? 'Nenhuma falha.' : `${failures} ${failures === 1 ? 'falha' : 'falhas'}.`)
  return failures === 0 ? 0 : 1
}

type Check = (name: string, run: () => Finding | Promise<Finding>) => Promise<void>

/** Opens a part and checks it; null: it does not open. */
async function opened<T>(
  check: Check,
  name: string,
  open: () => T | Promise<T>,
  run: (part: T) => Finding | Promise<Finding>,
): Promise<T | null> {
  let part: T | null = null
  await check(name, async () => {
    part = await open()
    return run(part)
  })
  return part
}

async function checkAll(config: Config, check: Check): Promise<void> {
  await check('Pasta de dados', () => checkFolder(config))
  await check('Espaço em disco', () => checkDisk(config))
  await check('Certificados', () => checkCertificates(config, Date.now()))
  const db = await opened(
    check,
    'Banco',
    () => openInstallation(config),
    () => checkDatabase(config),
  )
  try {
    let aviso: string | null = null
    const media = await opened(
      check,
      'Imagens e clipes',
      () =>
        openMediaStore(config, (found) => {
          aviso = found.aviso
        }),
      () => (aviso === null ? checkMediaStore(config) : warning(aviso)),
    )
    if (db !== null) await checkContents({ config, db, media, check })
  } finally {
    await db?.destroy()
  }
  await check('Broker', () => checkBroker(config))
  await check('Serviço', () => checkService(config))
}

interface ContentsCheck {
  readonly config: Config
  readonly db: Database
  readonly media: MediaStore | null
  readonly check: Check
}

async function checkContents({ config, db, media, check }: ContentsCheck): Promise<void> {
  await check('Chave', () => checkSecrets(config, db))
  if (media !== null) await check('Arquivos dos registros', () => checkSample(db, media))
  const isSynchronized = await isClockSynchronized()
  await check('Relógio', () => checkClock(db, Date.now(), isSynchronized))
}

import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { keyFile } from '../../adapters/key-file.ts'
import type { Config } from '../../config.ts'
import { databaseFile } from '../../db/place.ts'
import { readMark } from '../restore/mark.ts'
import { type Finding, failure, ok, warning } from './finding.ts'

/** Whether the service can write its folder, and other users cannot read its secrets. */
export function checkFolder({ dataDir, cloudDir, banco }: Config): Finding {
  if (!existsSync(cloudDir))
    return banco
      ? warning(`${cloudDir} ainda não existe: o serviço a cria na primeira partida.`)
      : failure(`${cloudDir} não existe. Confira VIGIA_DATA_DIR.`)
  const mark = readMark(cloudDir)
  if (mark !== null) return failure('Há uma restauração inacabada. Rode vigia restaurar outra vez, com a mesma cópia.')
  for (const path of [dataDir, cloudDir, ...(banco ? [] : [databaseFile(cloudDir)])]) {
    if (!canWrite(path)) return failure(`Este usuário não grava em ${path}. Mude o dono com chown, ou rode como ele.`)
  }
  const secrets = [keyFile({ cloudDir }), join(dataDir, 'pki/ca.key'), databaseFile(cloudDir)]
  const open = secrets.filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0)
  if (open.length > 0) return failure(`Outros usuários leem ${open.join(' e ')}. Corrija: chmod 600 ${open.join(' ')}`)
  const owners = new Set(secrets.filter(existsSync).map((path) => statSync(path).uid))
  if (owners.size > 1) return failure(`Os arquivos de ${dataDir} têm donos diferentes. Corrija com chown -R.`)
  return ok(dataDir)
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

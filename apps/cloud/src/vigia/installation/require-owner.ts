import { statSync } from 'node:fs'
import { CommandError } from '../command.ts'

/**
 * Files that root creates are not readable for the service.
 * @throws CommandError if this process is not of the owner of the data folder
 */
export function requireOwner(dataDir: string): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid
  if (owner === undefined || owner === process.getuid?.()) return
  throw new CommandError(
    `A pasta ${dataDir} é de outro usuário (número ${owner}). Rode o comando como ele: sudo -u '#${owner}' …`,
  )
}

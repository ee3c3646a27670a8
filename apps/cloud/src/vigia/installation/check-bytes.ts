import { openMediaStore } from '../../adapters/media-store/open-media-store.ts'
import { openInstallation } from '../../db/place.ts'
import { type ByteFault, checkBytes } from '../../domains/operacao/retencao/espaco/check-bytes.ts'
import type { Command } from '../command.ts'

/** Faults in full; a damaged count may concern every file. */
const SHOWN = 20

/** Counts the bytes of all Empresas again and compares. The service must not run. */
export const conferBytes: Command = async ({ config: load, print }) => {
  const config = load()
  const media = await openMediaStore(config)
  const db = await openInstallation(config)
  try {
    const faults = await checkBytes(db, media)
    for (const fault of faults.slice(0, SHOWN)) print(describe(fault))
    print(faults.length === 0 ? 'Todos os bytes conferem.' : `${faults.length} diferenças.`)
    return faults.length === 0 ? 0 : 1
  } finally {
    await db.destroy()
  }
}

function describe(fault: ByteFault): string {
  if (fault.tipo === 'soma')
    return `Empresa ${fault.empresa_id}: a soma é ${fault.soma}, os arquivos e registros têm ${fault.contado} bytes.`
  if (fault.tipo === 'sobra') return `${fault.arquivos} arquivos contados que nenhum registro nomeia.`
  return `${fault.caminho}: contado ${fault.contado ?? 'nada'}, o arquivo tem ${fault.tamanho} bytes.`
}

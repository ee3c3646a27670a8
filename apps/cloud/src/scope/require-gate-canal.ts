import type { ModoBConfig } from '@vigia/contracts/cameras'
import { invalid } from '@vigia/contracts/errors'
import { findGateCanal, opensGates } from '../db/gate-canal.ts'
import type { Database } from '../db/open.ts'

/** @throws VigiaError `validacao` if the canal of the gate is missing, of another Empresa, or one that people read */
export async function requireGateCanal(
  db: Database,
  empresaId: number,
  config: Pick<ModoBConfig, 'portao'> | null | undefined,
): Promise<void> {
  const portao = config?.portao
  if (!portao) return
  const canal = await findGateCanal(db, portao.canal_id, empresaId)
  if (!canal || !opensGates(canal))
    throw invalid(
      ['body', 'modo_b_config', 'portao', 'canal_id'],
      'Escolha um canal webhook ou mqtt da mesma Empresa',
      'value_error',
    )
}

/**
 * Whether a gate opens that stayed shut before, through another canal, or on a less certain reading.
 * @param before `modo_b_config_json` of the camera
 */
export function opensGate(before: string | null, after: string | null): boolean {
  const [was, portao] = [before, after].map((json) => {
    const config: ModoBConfig | null = json === null ? null : JSON.parse(json)
    return config?.ativo ? (config.portao ?? null) : null
  })
  if (!portao) return false
  return !was || was.canal_id !== portao.canal_id || portao.conf < was.conf
}

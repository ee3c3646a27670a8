import type { Edge } from '@vigia/contracts/edges'
import { NOVA_EMPRESA } from '../../../domains/locais/cameras/camera-form.ts'

interface ScanSituation {
  /** Value of the field `empresa_id`. */
  readonly empresa: string
  /** The caixas that the login sees, and that serve the Empresa. */
  readonly serving: readonly Pick<Edge, 'status' | 'nome'>[]
  /** The caixa of the installation serves the Empresa. Only the operator sees it and may scan its network. */
  readonly usesLocal: boolean
}

interface ScanAbsence {
  readonly motivo: 'empresa' | 'nova' | 'local' | 'nenhuma' | 'aguardando' | 'offline'
  /** Name of the caixa; '': none. */
  readonly nome: string
}

/** Why no scan is offered; null: a caixa can scan. */
export function scanAbsence({ empresa, serving, usesLocal }: ScanSituation): ScanAbsence | null {
  if (serving.some(({ status }) => status === 'online')) return null
  const offline = serving.find(({ status }) => status === 'offline')
  if (offline) return { motivo: 'offline', nome: offline.nome }
  if (serving[0]) return { motivo: 'aguardando', nome: serving[0].nome }
  if (empresa === '') return { motivo: 'empresa', nome: '' }
  if (empresa === NOVA_EMPRESA) return { motivo: 'nova', nome: '' }
  return { motivo: usesLocal ? 'local' : 'nenhuma', nome: '' }
}

import type { Pendencia } from '@vigia/contracts/pendencias'
import { auditOf } from './audit-change.ts'

/** Writes an action on stopped work to the audit log. */
export const auditPendencia = auditOf('pendencia', (pendencia: Pendencia) => ({
  id: pendencia.id,
  nome: pendencia.camera_nome,
  empresaId: pendencia.empresa_id,
  campos: {
    tipo: pendencia.tipo,
    evento_id: pendencia.evento_id,
    canal_id: pendencia.canal_id,
    motivo: pendencia.motivo,
    tentativas: pendencia.tentativas,
  },
}))

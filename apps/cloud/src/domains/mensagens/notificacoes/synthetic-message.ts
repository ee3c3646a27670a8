import { randomUUID } from 'node:crypto'
import { catalogoIas, nomesIas } from '@vigia/contracts/ias'
import type { CanalNotificacao } from '@vigia/contracts/notificacoes'
import type { MensagemEvento } from '../../../adapters/senders/interface.ts'

interface TestSubject {
  readonly canal: Pick<CanalNotificacao, 'tipos_evento'>
  readonly empresa: { readonly id: number; readonly nome: string; readonly fuso_horario: string }
  /** null: the canal is not limited to some cameras. */
  readonly camera: { readonly id: number; readonly nome: string } | null
}

/**
 * Builds a synthetic notification in the form of a real one, to test a receiver. Every text marks it as a test. Its
 * event has the id 0, which no real event has.
 */
export function syntheticMessage({ canal, empresa, camera }: TestSubject, now: number): MensagemEvento {
  const ia = catalogoIas[canal.tipos_evento[0] ?? nomesIas[0]]
  const instante = new Date(now).toISOString()
  return {
    tipo: 'teste',
    id: randomUUID(),
    enviadoEm: now,
    empresa: { id: empresa.id, nome: empresa.nome, fusoHorario: empresa.fuso_horario },
    camera,
    evento: {
      id: 0,
      empresa_id: empresa.id,
      camera_id: camera?.id ?? 0,
      camera_nome: camera?.nome ?? 'Câmera de teste',
      tipo: ia.nome,
      gravidade: ia.gravidade,
      ocorrido_em: instante,
      recebido_em: instante,
      confianca: 0.9,
      rotulos: [],
      caixas: [],
      zona: null,
      veredito: {
        decisao: 'confirmado',
        certeza: 'alta',
        confianca: 0.9,
        motivo: 'Notificação de teste: nenhum evento aconteceu.',
        fonte: 'teste',
        verificado_em: instante,
      },
      crop_url: null,
      clip_url: null,
      detalhes: { teste: true },
      prova: false,
      incidente_id: null,
    },
  }
}

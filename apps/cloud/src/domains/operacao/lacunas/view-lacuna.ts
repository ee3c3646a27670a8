import type { LacunaVista } from '@vigia/contracts/eventos'
import type { LacunaRow } from './store.ts'

const sentences: Record<LacunaVista['motivo'], string> = {
  cota_de_disco: 'O disco da caixa encheu e ela descartou estes eventos para continuar gravando os novos.',
  disco_indisponivel: 'A caixa não conseguia gravar no disco, e a memória não bastou para guardar estes eventos.',
  salto_de_sequencia: 'Estes eventos não chegaram à central, e a caixa já não os tem.',
  a_caminho: 'A caixa ainda está enviando estes eventos, que esperaram pela conexão.',
  fila_recomecada: 'A caixa foi trocada ou perdeu o disco. Não se sabe quantos eventos ela ainda tinha para enviar.',
  recusado: 'A central recusou o que a caixa enviou, porque o registro não era válido.',
}

const instant = (epochMs: number | null): string | null => (epochMs === null ? null : new Date(epochMs).toISOString())

export const viewLacuna = (row: LacunaRow): LacunaVista => ({
  id: row.id,
  edge_id: row.edge_id,
  camera_id: row.camera_id,
  de_seq: row.de_seq,
  ate_seq: row.ate_seq,
  faltam: row.faltam,
  ocorrido_de: instant(row.ocorrido_de),
  ocorrido_ate: instant(row.ocorrido_ate),
  motivo: row.motivo,
  motivo_texto: sentences[row.motivo],
  registrada_em: new Date(row.registrada_em).toISOString(),
})

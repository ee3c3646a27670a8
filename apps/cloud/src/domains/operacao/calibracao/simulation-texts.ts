import type { AvisoSimulacao } from '@vigia/contracts/simulacao'
import { ia } from '@vigia/ias/catalogue'
import type { Unanswerable, UnanswerableReason } from '@vigia/ias/replay/unanswerable'

type Sentence = (titulo: string) => string

const refusals: Readonly<Record<UnanswerableReason, Sentence>> = {
  ia_nova: (t) => `${t} não estava ligada neste período: ligue a IA e simule depois de um dia.`,
  conf_menor: (t) =>
    `A caixa só guardou detecções de ${t} com a confiança que valia no período. ` +
    'Simule uma confiança maior, ou outro período.',
  area_menor: (t) => `A caixa só guardou objetos de ${t} com a área mínima que valia. Simule uma área maior.`,
  outro_modelo: (t) => `${t} não mede a área mínima na imagem guardada: esta mudança não pode ser simulada.`,
  min_quadros: (t) =>
    `Os quadros seguidos de ${t} não ficam guardados: esta mudança não pode ser simulada. ` +
    'Mude um pouco e confira depois.',
  duracao: (t) => `O tempo até disparar de ${t} não pode ser simulado: o que dura menos não ficou guardado.`,
  duracao_maior: (t) => `A caixa só acompanha ${t} até 5 minutos depois do tempo que vale hoje. Simule um tempo menor.`,
  resfriamento_menor: (t) =>
    `O que aconteceu durante o resfriamento de ${t} não ficou guardado. Simule um resfriamento maior.`,
  pessoas_menos: (t) => `Grupos menores de ${t} não ficaram guardados. Simule uma quantidade maior.`,
  direcao_mais: (t) => `O outro sentido de ${t} não ficou guardado. Simule só um sentido.`,
  itens_mais: (t) => `A falta do item não era verificada em ${t} neste período. Ligue e simule depois de um dia.`,
  agenda_maior: (t) => `${t} não estava armada em todas as horas propostas. Simule um horário menor, ou outro período.`,
}

/** Portuguese: why the stored candidates cannot answer. */
export const refusalSentence = ({ ia: nome, reason }: Unanswerable): string => refusals[reason](ia(nome).titulo)

export const avisoTexts: Readonly<Record<AvisoSimulacao, string>> = {
  sem_descartados:
    'A caixa desta câmera não guardou o que não virou evento neste período: eventos a mais não aparecem aqui.',
  descartados_omitidos: 'Houve mais candidatos do que a caixa guarda por hora: eventos a mais podem faltar aqui.',
  calibracao_mudou: 'A calibração mudou durante o período: a comparação é com o que veio, não com os valores de agora.',
}

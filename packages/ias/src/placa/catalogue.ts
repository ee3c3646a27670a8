import { comuns, type Ia, VEICULOS } from '../catalogue-entry.ts'

export const catalogo = {
  nome: 'placa',
  ordem: 110,
  titulo: 'Placa',
  palavras: 'leituras? de placas?',
  descricao: 'Leitura de placas de veículos',
  ingles: { titulo: 'Plate', descricao: 'Reading of vehicle plates' },
  assunto: { portugues: 'placa', ingles: 'licence plate' },
  pergunta: 'Há um veículo com a placa visível na caixa marcada?',
  gravidade: 'baixa',
  geometria: 'zona',
  modelo: 'placas',
  rotulos: [...VEICULOS],
  limiares: comuns(0.6, 2, 10, 0.003),
  detalhes: {},
} as const satisfies Ia

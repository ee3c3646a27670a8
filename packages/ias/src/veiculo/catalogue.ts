import { comuns, type Ia, VEICULOS } from '../catalogue-entry.ts'

export const catalogo = {
  nome: 'veiculo',
  ordem: 80,
  titulo: 'Veículo em área proibida',
  palavras: 'veiculos?',
  descricao: 'Veículo dentro da zona proibida',
  ingles: { titulo: 'Vehicle in a forbidden area', descricao: 'Vehicle inside the forbidden zone' },
  assunto: { portugues: 'veículo', ingles: 'vehicle' },
  pergunta: 'Há um veículo de verdade na caixa marcada, mesmo que só em parte visível?',
  gravidade: 'media',
  marcas: 'exatas',
  geometria: 'zona',
  modelo: 'objetos',
  rotulos: [...VEICULOS],
  limiares: comuns(0.5, 3, 30, 0.003),
  detalhes: {},
} as const satisfies Ia

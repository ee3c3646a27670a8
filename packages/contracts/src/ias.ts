/**
 * The catalogue of IAs: the one table that names every analysis, its severity and its thresholds.
 * The API validates `eventos_habilitados` and `config_ia` against it, the edge takes its defaults from it,
 * the dashboard shows its titles.
 */

export const gravidades = ['baixa', 'media', 'alta', 'critica'] as const
export type Gravidade = (typeof gravidades)[number]

/** What can be the matter with a camera's picture (IA `camera_obstruida`). */
export const problemasImagem = ['coberta', 'desfocada', 'ofuscada', 'desviada', 'congelada', 'preta'] as const
export type ProblemaImagem = (typeof problemasImagem)[number]

/** Tasks of the models that feed the analyses. */
export const tarefasModelo = ['objetos', 'epi', 'fogo', 'placas'] as const
export type TarefaModelo = (typeof tarefasModelo)[number]

/** One calibration threshold. `booleano` thresholds take true/false; all others a number in [minimo, maximo]. */
export interface Limiar {
  readonly padrao: number | boolean
  readonly minimo: number
  readonly maximo: number
  /** Unit in which the number counts; `fracao` is 0–1. */
  readonly unidade: 'fracao' | 'quadros' | 's' | 'pessoas' | 'objetos' | 'codigo' | 'booleano'
  readonly descricao: string
}

export interface Ia {
  readonly nome: string
  readonly titulo: string
  readonly descricao: string
  readonly gravidade: Gravidade
  /** Geometry the analysis looks at: `linha` is needed to fire at all, `zona` only restricts. */
  readonly geometria: 'nenhuma' | 'zona' | 'linha'
  /** Task of the model in the registry that feeds the analysis; null: needs only the picture itself. */
  readonly modelo: TarefaModelo | null
  /** Labels of the model that this analysis looks at. */
  readonly rotulos: readonly string[]
  readonly limiares: Readonly<Record<string, Limiar>>
}

const fracao = (padrao: number, descricao: string): Limiar => ({
  padrao,
  minimo: 0,
  maximo: 1,
  unidade: 'fracao',
  descricao,
})
const segundos = (padrao: number, maximo: number, descricao: string): Limiar => ({
  padrao,
  minimo: 0,
  maximo,
  unidade: 's',
  descricao,
})

const comuns = (conf: number, minQuadros: number, resfriamentoS: number, areaMin: number) => ({
  conf: fracao(conf, 'Confiança mínima da detecção'),
  min_quadros: {
    padrao: minQuadros,
    minimo: 1,
    maximo: 300,
    unidade: 'quadros',
    descricao: 'Quadros analisados seguidos em que o objeto precisa aparecer',
  } satisfies Limiar,
  resfriamento_s: segundos(resfriamentoS, 86_400, 'Tempo mínimo entre dois eventos desta IA na mesma câmera'),
  area_min: fracao(areaMin, 'Área mínima do objeto, como fração do quadro'),
})

const VEICULOS = ['car', 'motorcycle', 'bus', 'truck'] as const

export const catalogoIas = {
  invasao: {
    nome: 'invasao',
    titulo: 'Invasão',
    descricao: 'Pessoa dentro da zona vigiada',
    gravidade: 'alta',
    geometria: 'zona',
    modelo: 'objetos',
    rotulos: ['person'],
    limiares: comuns(0.45, 3, 10, 0.0015),
  },
  cruzamento_linha: {
    nome: 'cruzamento_linha',
    titulo: 'Cruzamento de linha',
    descricao: 'Pessoa ou veículo que cruza a linha virtual',
    gravidade: 'alta',
    geometria: 'linha',
    modelo: 'objetos',
    rotulos: ['person', ...VEICULOS, 'bicycle'],
    limiares: {
      // Who crosses is gone when a longer cooldown ends: the second car behind the first would be told to nobody.
      ...comuns(0.45, 3, 1, 0.0015),
      direcao: {
        padrao: 0,
        minimo: 0,
        maximo: 2,
        unidade: 'codigo',
        descricao: 'Sentido que dispara: 0 ambos, 1 da esquerda para a direita da seta (ab), 2 o contrário (ba)',
      },
    },
  },
  permanencia: {
    nome: 'permanencia',
    titulo: 'Permanência',
    descricao: 'Pessoa que fica na zona além do tempo permitido',
    gravidade: 'media',
    geometria: 'zona',
    modelo: 'objetos',
    rotulos: ['person'],
    limiares: {
      ...comuns(0.45, 3, 60, 0.0015),
      permanencia_s: segundos(30, 86_400, 'Tempo na zona até disparar'),
    },
  },
  aglomeracao: {
    nome: 'aglomeracao',
    titulo: 'Aglomeração',
    descricao: 'Pessoas demais ao mesmo tempo na zona',
    gravidade: 'media',
    geometria: 'zona',
    modelo: 'objetos',
    rotulos: ['person'],
    limiares: {
      ...comuns(0.4, 5, 120, 0.001),
      min_pessoas: {
        padrao: 5,
        minimo: 2,
        maximo: 1000,
        unidade: 'pessoas',
        descricao: 'Quantidade de pessoas que dispara',
      },
    },
  },
  epi: {
    nome: 'epi',
    titulo: 'EPI',
    descricao: 'Pessoa sem capacete ou colete na área de trabalho',
    gravidade: 'media',
    geometria: 'zona',
    modelo: 'epi',
    rotulos: ['no_hardhat', 'no_vest'],
    limiares: {
      ...comuns(0.5, 5, 60, 0.001),
      exigir_capacete: {
        padrao: true,
        minimo: 0,
        maximo: 1,
        unidade: 'booleano',
        descricao: 'Alerta quando falta o capacete',
      },
      exigir_colete: {
        padrao: true,
        minimo: 0,
        maximo: 1,
        unidade: 'booleano',
        descricao: 'Alerta quando falta o colete',
      },
    },
  },
  fogo: {
    nome: 'fogo',
    titulo: 'Fogo',
    descricao: 'Chamas visíveis',
    gravidade: 'critica',
    geometria: 'zona',
    modelo: 'fogo',
    rotulos: ['fire'],
    limiares: comuns(0.5, 4, 60, 0.001),
  },
  fumaca: {
    nome: 'fumaca',
    titulo: 'Fumaça',
    descricao: 'Fumaça visível',
    gravidade: 'alta',
    geometria: 'zona',
    modelo: 'fogo',
    rotulos: ['smoke'],
    // Smoke is seen badly (apps/model-tools/training, README): it has to be seen more surely than fire, and it lasts, where passers-by do not.
    limiares: comuns(0.6, 15, 120, 0.005),
  },
  veiculo: {
    nome: 'veiculo',
    titulo: 'Veículo em área proibida',
    descricao: 'Veículo dentro da zona proibida',
    gravidade: 'media',
    geometria: 'zona',
    modelo: 'objetos',
    rotulos: [...VEICULOS],
    limiares: comuns(0.5, 3, 30, 0.003),
  },
  objeto_abandonado: {
    nome: 'objeto_abandonado',
    titulo: 'Objeto abandonado',
    descricao: 'Bolsa, mochila ou mala parada sem dono por perto',
    gravidade: 'media',
    geometria: 'zona',
    modelo: 'objetos',
    rotulos: ['backpack', 'handbag', 'suitcase'],
    limiares: {
      ...comuns(0.4, 10, 300, 0.0005),
      permanencia_s: segundos(60, 86_400, 'Tempo parado até disparar'),
    },
  },
  camera_obstruida: {
    nome: 'camera_obstruida',
    titulo: 'Câmera obstruída',
    descricao: 'Imagem coberta, ofuscada, desviada ou congelada',
    gravidade: 'alta',
    geometria: 'nenhuma',
    modelo: null,
    rotulos: [],
    limiares: {
      ...comuns(0.6, 10, 300, 0),
      permanencia_s: segundos(10, 3600, 'Tempo obstruída até disparar'),
    },
  },
  placa: {
    nome: 'placa',
    titulo: 'Placa (Modo B)',
    descricao: 'Leitura de placas de veículos',
    gravidade: 'baixa',
    geometria: 'zona',
    modelo: 'placas',
    rotulos: [...VEICULOS],
    limiares: comuns(0.6, 2, 10, 0.003),
  },
} as const satisfies Record<string, Ia>

export type NomeIa = keyof typeof catalogoIas
export const nomesIas = Object.keys(catalogoIas) as [NomeIa, ...NomeIa[]]

/** The catalogue entry of `nome` under the open type, for code that walks thresholds by name. */
export const ia = (nome: NomeIa): Ia => catalogoIas[nome]

/** Calibration of one camera: IA → threshold → value. */
export type ConfigIa = { [K in NomeIa]?: Record<string, number | boolean> }

/** The system defaults: every IA with every threshold. */
export const calibracaoPadrao: Readonly<Record<NomeIa, Readonly<Record<string, number | boolean>>>> =
  Object.fromEntries(
    nomesIas.map((nome) => [
      nome,
      Object.fromEntries(Object.entries(ia(nome).limiares).map(([limiar, { padrao }]) => [limiar, padrao])),
    ]),
  ) as Record<NomeIa, Record<string, number | boolean>>

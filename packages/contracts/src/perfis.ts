import type { Agenda } from './agenda.ts'
import { type ConfigIa, calibracaoPadrao, type NomeIa } from './ias.ts'

/** A preconfigured use case for a kind of site: IAs, thresholds and agenda. */
export interface Perfil {
  readonly nome: string
  readonly titulo: string
  readonly descricao: string
  readonly ias: readonly NomeIa[]
  /** The table below contains only the differences from the catalogue. */
  readonly config_ia: ConfigIa
  readonly agenda: Agenda
}

const NOITE = { inicio: 22, fim: 6, dias: [] }
const DIAS_UTEIS = [0, 1, 2, 3, 4]

const perfis = {
  residencia: {
    titulo: 'Residência',
    descricao: 'Casa ou apartamento: invasão à noite, fogo e câmera obstruída o dia todo',
    ias: ['invasao', 'fogo', 'fumaca', 'camera_obstruida'],
    config_ia: { invasao: { conf: 0.5, min_quadros: 3, resfriamento_s: 30 } },
    agenda: { invasao: NOITE },
  },
  comercio: {
    titulo: 'Comércio',
    descricao: 'Loja: invasão fora do horário de funcionamento, aglomeração durante ele',
    ias: ['invasao', 'aglomeracao', 'fogo', 'camera_obstruida'],
    config_ia: { invasao: { conf: 0.5, resfriamento_s: 30 }, aglomeracao: { min_pessoas: 10 } },
    agenda: { invasao: { inicio: 20, fim: 8, dias: [] }, aglomeracao: { inicio: 8, fim: 20, dias: [] } },
  },
  industria: {
    titulo: 'Indústria',
    descricao: 'Fábrica: EPI no turno, invasão à noite, fogo e fumaça sempre',
    ias: ['epi', 'invasao', 'fogo', 'fumaca', 'camera_obstruida'],
    config_ia: { epi: { conf: 0.55, min_quadros: 8 }, fogo: { conf: 0.55 } },
    agenda: { epi: { inicio: 6, fim: 22, dias: [] }, invasao: NOITE },
  },
  obra: {
    titulo: 'Obra',
    descricao: 'Canteiro: capacete e colete no horário de trabalho, invasão e veículos fora dele',
    ias: ['epi', 'invasao', 'veiculo', 'camera_obstruida'],
    config_ia: { epi: { conf: 0.5, exigir_capacete: true, exigir_colete: true } },
    agenda: {
      epi: { inicio: 7, fim: 18, dias: [...DIAS_UTEIS, 5] },
      invasao: { inicio: 18, fim: 7, dias: [] },
      veiculo: { inicio: 18, fim: 7, dias: [] },
    },
  },
  condominio: {
    titulo: 'Condomínio',
    descricao: 'Portaria e muros: cruzamento de linha e permanência à noite, placas o dia todo',
    ias: ['invasao', 'cruzamento_linha', 'permanencia', 'placa', 'camera_obstruida'],
    config_ia: { permanencia: { permanencia_s: 60 }, invasao: { resfriamento_s: 30 } },
    agenda: { invasao: NOITE, permanencia: NOITE },
  },
  estacionamento: {
    titulo: 'Estacionamento',
    descricao: 'Pátio de veículos: placas, veículo em área proibida, pessoa parada à noite',
    ias: ['placa', 'veiculo', 'permanencia', 'camera_obstruida'],
    config_ia: { permanencia: { permanencia_s: 120 } },
    agenda: { permanencia: NOITE },
  },
  escola: {
    titulo: 'Escola',
    descricao: 'Invasão fora do período letivo, aglomeração e objeto abandonado durante ele',
    ias: ['invasao', 'aglomeracao', 'objeto_abandonado', 'fogo', 'camera_obstruida'],
    config_ia: { aglomeracao: { min_pessoas: 15 } },
    agenda: {
      invasao: { inicio: 19, fim: 6, dias: [] },
      aglomeracao: { inicio: 6, fim: 19, dias: DIAS_UTEIS },
      objeto_abandonado: { inicio: 6, fim: 19, dias: DIAS_UTEIS },
    },
  },
  deposito: {
    titulo: 'Depósito',
    descricao: 'Galpão: invasão fora do turno, fogo e fumaça sempre, EPI no turno',
    ias: ['invasao', 'fogo', 'fumaca', 'epi', 'camera_obstruida'],
    config_ia: { invasao: { conf: 0.5, resfriamento_s: 20 } },
    agenda: { invasao: { inicio: 18, fim: 6, dias: [] }, epi: { inicio: 6, fim: 18, dias: [...DIAS_UTEIS, 5] } },
  },
} as const satisfies Record<string, Omit<Perfil, 'nome'>>

export type NomePerfil = keyof typeof perfis
export const nomesPerfis = Object.keys(perfis) as [NomePerfil, ...NomePerfil[]]

/** Returns the Perfil `nome` in the form of the API, with the complete calibration of its IAs. */
export function perfil(nome: NomePerfil): Perfil {
  const { config_ia, ...rest }: Omit<Perfil, 'nome'> = perfis[nome]
  const complete = rest.ias.map((ia) => [ia, { ...calibracaoPadrao[ia], ...config_ia[ia] }])
  return { nome, ...rest, config_ia: Object.fromEntries(complete) }
}

/** Default IAs of a camera without IAs and Perfil. */
export const iasPadrao: readonly NomeIa[] = ['invasao']

/** IAs in the examples of the API. */
export const exemploIas = {
  comuns: ['invasao', 'fogo'],
  perimetro: ['invasao', 'cruzamento_linha'],
  incendio: ['fogo', 'fumaca'],
} as const satisfies Record<string, readonly NomeIa[]>

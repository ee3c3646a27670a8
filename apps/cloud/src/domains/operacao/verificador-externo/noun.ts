import type { ErroVerificadorExterno } from '@vigia/contracts/verificador-externo'
import type { Generated } from 'kysely'
import { machine, owner } from '../../../db/data-register/entry.ts'
import { defineNoun, ofOne, table } from '../../../nouns/define-noun.ts'

/** Use of the external verifier by one Empresa in one month. */
interface VlmUsosTable {
  empresa_id: number
  /** `2026-11`, in the time zone of the Empresa. */
  mes: string
  chamadas: Generated<number>
  /** Calls without a usable answer. */
  sem_resposta: Generated<number>
  tokens_entrada: Generated<number>
  tokens_saida: Generated<number>
  /** Millionths of the currency of the settings. */
  preco_micros: Generated<number>
  ultimo_erro: Generated<ErroVerificadorExterno | null>
  ultimo_erro_em: Generated<number | null>
}

/** External verifier. */
export const verificadorExterno = defineNoun({
  chapter: 'Eventos',
  segments: ['verificador-externo'],
  tables: {
    vlm_usos: table<VlmUsosTable>()({
      ...machine(owner('empresas')),
      readers: 'administrador',
      bound: ofOne('Empresa and month'),
    }),
  },
})

import type { UsoVerificadorExterno } from '@vigia/contracts/verificador-externo'
import type { VlmSettings } from '../../../adapters/verifier/settings.ts'
import type { EmpresaRow } from '../../../db/rows.ts'
import { errorSentences } from './error-sentences.ts'
import type { UsoRow } from './store.ts'
import { isAccepted, limitOf } from './vlm-account.ts'

const MILLION = 1_000_000

/** @param uso undefined: no call in the month yet */
export function viewUso(
  empresa: EmpresaRow,
  settings: VlmSettings | null,
  mes: string,
  uso: UsoRow | undefined,
): UsoVerificadorExterno {
  const chamadas = Number(uso?.chamadas ?? 0)
  const limite = limitOf(empresa, settings)
  const isPriced = settings !== null && (settings.precoEntrada !== null || settings.precoSaida !== null)
  const erro = uso?.ultimo_erro ?? null
  return {
    empresa_id: empresa.id,
    nome: empresa.nome,
    ativo: isAccepted(empresa, settings),
    servidor_aceito: empresa.vlm_servidor,
    mes,
    chamadas,
    chamadas_mes: limite,
    esgotado: isAccepted(empresa, settings) && chamadas >= limite,
    sem_resposta: Number(uso?.sem_resposta ?? 0),
    tokens_entrada: Number(uso?.tokens_entrada ?? 0),
    tokens_saida: Number(uso?.tokens_saida ?? 0),
    preco: isPriced ? Number(uso?.preco_micros ?? 0) / MILLION : null,
    ultimo_erro:
      erro === null
        ? null
        : { codigo: erro, em: new Date(Number(uso?.ultimo_erro_em ?? 0)).toISOString(), frase: errorSentences[erro] },
  }
}

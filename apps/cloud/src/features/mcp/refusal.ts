import { VigiaError } from '@vigia/contracts/errors'
import { asRefusal } from '../../http/errors.ts'
import { plainLine } from './untrusted.ts'

/** Why a call did not succeed, for the log (`motivo`) and for the agent (`texto`, Portuguese). */
export interface Refusal {
  readonly motivo: string
  readonly texto: string
}

/** A camera names its edge, which may belong to the operator: an id that was read here is not always one within reach. */
const OUT_OF_REACH = 'o que este login não alcança é respondido como se não existisse.'

/**
 * What an agent is told of `error`. What is no VigiaError is a fault of ours: the id of the request and nothing of the error.
 * @param requestId as in the log
 */
export function refusalOf(thrown: unknown, requestId: string): Refusal {
  const error = asRefusal(thrown)
  if (!(error instanceof VigiaError) || error.code === 'interno')
    return {
      motivo: 'interno',
      texto: `Erro interno. Tente outra vez e, se continuar, informe à pessoa o código ${requestId}.`,
    }
  if (error.code === 'validacao') return { motivo: error.code, texto: invalidText(error) }
  if (error.code === 'nao_encontrado')
    return {
      motivo: error.code,
      texto: `${plainLine(error.detalhe)} Confira o id com a ferramenta listar_… do que procura: ${OUT_OF_REACH}`,
    }
  const wait = error.tentarEmS
  const again = wait === undefined ? '' : ` Tente outra vez em ${Math.max(1, Math.ceil(wait))} s.`
  return { motivo: error.code, texto: `${plainLine(error.detalhe)}${again}` }
}

/** One line per field, named as the agent named it (the first part of `loc` is where it stood in the HTTP request). */
const invalidText = ({ itens }: VigiaError): string =>
  [
    'Dados inválidos. Corrija e chame de novo:',
    ...itens.map(({ loc, msg }) => `- ${plainLine(loc.length > 1 ? `${loc.slice(1).join('.')}: ${msg}` : msg)}`),
  ].join('\n')

import { VigiaError } from '@vigia/contracts/errors'
import { asRefusal } from '../../../http/errors.ts'
import { plainLine } from './untrusted.ts'

/** Reason of a failed call, for the log (`motivo`) and for the agent (`texto`, Portuguese). */
export interface Refusal {
  readonly motivo: string
  readonly texto: string
}

/** A camera contains the id of its edge, which may belong to the operator. So an id in a result may be out of scope. */
const OUT_OF_REACH = 'o que este login não alcança é respondido como se não existisse.'

/**
 * The refusal for `thrown`. Errors other than VigiaError are server faults: only the request id, without the message.
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

/** One line per field, with the agent's name of the field. The first part of `loc` is the part of the HTTP request. */
const invalidText = ({ itens }: VigiaError): string =>
  [
    'Dados inválidos. Corrija e chame de novo:',
    ...itens.map(({ loc, msg }) => `- ${plainLine(loc.length > 1 ? `${loc.slice(1).join('.')}: ${msg}` : msg)}`),
  ].join('\n')

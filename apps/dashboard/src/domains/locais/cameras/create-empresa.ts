import { type Empresa, empresaSchema } from '@vigia/contracts/empresas'
import { VigiaError } from '@vigia/contracts/errors'
import type { Api } from '../../../api/client.ts'

/** Creates an Empresa from the camera's form, where its `nome` is the field `empresa_nome`. */
export async function createEmpresa(api: Api, nome: string): Promise<Empresa> {
  try {
    return await api.send('POST', '/empresas', { nome: nome.trim() }, empresaSchema)
  } catch (error) {
    if (!(error instanceof VigiaError) || error.code !== 'validacao') throw error
    const itens = error.itens.map((item) => ({ ...item, loc: ['body', 'empresa_nome'] }))
    throw new VigiaError(error.code, { detalhe: error.detalhe, itens, cause: error })
  }
}

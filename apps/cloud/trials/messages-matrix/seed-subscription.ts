import { randomUUID } from 'node:crypto'
import type { InscricaoPushCreate } from '@vigia/contracts/push'
import type { SecretBox } from '../../src/adapters/secret-box.ts'
import type { Database } from '../../src/db/open.ts'
import { endpointHash, sealDestination } from '../../src/domains/mensagens/push/destination.ts'

/** A browser of a new login of the Empresa. */
export async function seedSubscription(
  db: Database,
  box: SecretBox,
  empresaId: number,
  { endpoint, chaves, gravidade_min, nome }: InscricaoPushCreate,
): Promise<void> {
  const username = `vigilante-${randomUUID()}`
  const { id: usuario_id } = await db
    .insertInto('usuarios')
    .values({
      username,
      username_chave: username,
      senha_hash: '',
      papel: 'vigilante',
      empresa_id: empresaId,
      criado_em: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('inscricoes_push')
    .values({
      usuario_id,
      endpoint_hash: endpointHash(endpoint),
      servico: new URL(endpoint).host,
      gravidade_min,
      nome,
      contato: 'https://vigia.exemplo.com.br',
      destino_cifrado: '',
      criada_em: 1,
      entregue_em: null,
      erro: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('inscricoes_push')
    .set({ destino_cifrado: sealDestination(box, id, { endpoint, ...chaves }) })
    .where('id', '=', id)
    .execute()
}

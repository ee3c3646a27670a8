import { type SecretBox, sealedKeyId } from '../../adapters/secret-box.ts'
import { ConfigError } from '../../config.ts'
import type { Database } from '../../db/open.ts'
import { anySealedUrl } from './store.ts'

/** @throws ConfigError when the stored passwords were sealed with another key than the one at hand. */
export async function checkCameraKey(db: Database, box: SecretBox): Promise<void> {
  const row = await anySealedUrl(db)
  if (row && sealedKeyId(row.rtsp_url_cifrada) !== box.keyId)
    throw new ConfigError(
      'A chave (VIGIA_CHAVE ou o arquivo cloud/chave da pasta de dados) não é a que cifrou as senhas deste banco. Restaure a chave original.',
    )
}

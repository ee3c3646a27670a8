import { secretPurposes } from '../adapters/secret-purposes.ts'

/**
 * All columns that the secret box seals. Each new sealed column must be added, else a key rotation loses its values.
 * `remade`: the program regenerates the value, so that an unreadable one is dropped. `dono`: the column with the id
 * that the purpose names.
 */
export const sealedColumns = [
  { tabela: 'cameras', coluna: 'rtsp_url_cifrada', purpose: secretPurposes.cameraUrl, remade: false },
  { tabela: 'cameras', coluna: 'sub_rtsp_url_cifrada', purpose: secretPurposes.cameraSubUrl, remade: false },
  { tabela: 'gravadores', coluna: 'senha_cifrada', purpose: secretPurposes.gravadorSenha, remade: false },
  { tabela: 'canais_notificacao', coluna: 'segredo_cifrado', purpose: secretPurposes.canalSegredo, remade: false },
  {
    tabela: 'recolhimentos',
    coluna: 'segredo_cifrado',
    purpose: secretPurposes.canalSegredo,
    remade: false,
    dono: 'canal_id',
  },
  { tabela: 'usuarios', coluna: 'segundo_fator_cifrado', purpose: secretPurposes.segundoFator, remade: false },
  { tabela: 'chaves_oauth', coluna: 'privada_cifrada', purpose: secretPurposes.chaveOauth, remade: true },
  { tabela: 'chaves_vapid', coluna: 'privada_cifrada', purpose: secretPurposes.chaveVapid, remade: true },
  { tabela: 'inscricoes_push', coluna: 'destino_cifrado', purpose: secretPurposes.inscricaoPush, remade: true },
  { tabela: 'remetentes', coluna: 'segredo_cifrado', purpose: secretPurposes.remetenteSegredo, remade: false },
  { tabela: 'segredos_instalacao', coluna: 'cifrado', purpose: secretPurposes.segredoInstalacao, remade: false },
] as const satisfies readonly SealedColumn[]

export interface SealedColumn {
  readonly tabela: string
  readonly coluna: string
  readonly purpose: (dono: number) => string
  readonly remade: boolean
  /** Default: `id`. */
  readonly dono?: string
}

/**
 * Associated data of each sealed value: table, field and row. A ciphertext that is copied to another field or row
 * cannot be decrypted there. Defined together, because key rotation handles all of them. A changed text makes stored
 * values unreadable.
 */
export const secretPurposes = {
  cameraUrl: (cameraId: number) => `cameras/rtsp_url/${cameraId}`,
  cameraSubUrl: (cameraId: number) => `cameras/sub_rtsp_url/${cameraId}`,
  gravadorSenha: (gravadorId: number) => `gravadores/senha/${gravadorId}`,
  segundoFator: (usuarioId: number) => `usuarios/segundo_fator/${usuarioId}`,
  chaveOauth: (chaveId: number) => `chaves_oauth/privada/${chaveId}`,
  canalSegredo: (canalId: number) => `canais_notificacao/segredo/${canalId}`,
  chaveVapid: (chaveId: number) => `chaves_vapid/privada/${chaveId}`,
  inscricaoPush: (inscricaoId: number) => `inscricoes_push/destino/${inscricaoId}`,
  remetenteSegredo: (id: number) => `remetentes/segredo/${id}`,
  segredoInstalacao: (id: number) => `segredos_instalacao/${id}`,
} as const

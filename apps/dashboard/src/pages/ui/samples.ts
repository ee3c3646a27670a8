/** Records of the page `/ui`; they exist nowhere else. */
export const samples = {
  camera: 'Portão da frente',
  cameras: ['Portão da frente', 'Estoque', 'Pátio – ação'],
  empresa: 'Mercado Bom Preço',
  address: 'rtsp://usuario:****@192.168.0.10:554/caminho',
  command: 'Authorization: Bearer vigia_0000…',
  secret: 'vigia_0000-0000-0000-0000',
  reason: 'A câmera não responde na porta 554.',
  time: '28/11/2026 22:46',
  share: 0.62,
  fullShare: 0.97,
} as const

/** Grey picture, so that the page needs no network. */
export const GREY_PICTURE = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><rect width="16" height="9" fill="#445566"/></svg>',
)}`

/** Person in the middle of the picture, in shares of it. */
export const rectangles = [{ x: 0.4, y: 0.25, w: 0.15, h: 0.55 }] as const
export const OUTLINE = '0.1,0.2 0.9,0.2 0.8,0.95 0.15,0.95'
export const PATH = '0.2,0.9 0.35,0.85 0.47,0.8'

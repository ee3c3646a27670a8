import type { Fontes } from '@vigia/contracts/edge-state'
import { maskPassword } from '@vigia/rtsp/mask'
import type { CameraRow } from '../db/rows.ts'
import type { SecretBox } from './secret-box.ts'
import { secretPurposes } from './secret-purposes.ts'

/** The columns with a camera's stream addresses: encrypted, and with masked password for display. */
export type SourceColumns = Pick<CameraRow, 'rtsp_url' | 'rtsp_url_cifrada' | 'sub_rtsp_url' | 'sub_rtsp_url_cifrada'>

const { cameraUrl: mainPurpose, cameraSubUrl: subPurpose } = secretPurposes

export const sealSources = (box: SecretBox, cameraId: number, { rtsp_url, sub_rtsp_url }: Fontes): SourceColumns => ({
  rtsp_url: maskPassword(rtsp_url),
  rtsp_url_cifrada: box.seal(rtsp_url, mainPurpose(cameraId)),
  sub_rtsp_url: sub_rtsp_url === null ? null : maskPassword(sub_rtsp_url),
  sub_rtsp_url_cifrada: sub_rtsp_url === null ? null : box.seal(sub_rtsp_url, subPurpose(cameraId)),
})

/** Names of the changed addresses. Compares the passwords too, which masked addresses do not show. */
export const changedSources = (before: Fontes, after: Fontes): string[] =>
  (['rtsp_url', 'sub_rtsp_url'] as const).filter((name) => before[name] !== after[name])

/** The addresses with their passwords; null: they cannot be decrypted. */
export function openSourcesOrNull(box: SecretBox, camera: Parameters<typeof openSources>[1]): Fontes | null {
  try {
    return openSources(box, camera)
  } catch {
    return null
  }
}

/** The addresses with their passwords. @throws Error when they were encrypted with another key */
export const openSources = (
  box: SecretBox,
  camera: Pick<CameraRow, 'id' | 'rtsp_url_cifrada' | 'sub_rtsp_url_cifrada'>,
): Fontes => ({
  rtsp_url: box.open(camera.rtsp_url_cifrada, mainPurpose(camera.id)),
  sub_rtsp_url:
    camera.sub_rtsp_url_cifrada === null ? null : box.open(camera.sub_rtsp_url_cifrada, subPurpose(camera.id)),
})

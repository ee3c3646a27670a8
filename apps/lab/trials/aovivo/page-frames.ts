import { BLOCK, NUMBER_BITS } from './footage.ts'

/** Frames of one camera that a page has shown. Times: epoch ms. */
export interface Shown {
  /** The camera's id; `grande`: the large slot, or the only video of the page. */
  readonly nome: string
  /** When the page asked for the video. */
  readonly askedAt: number
  /** Time and number of each frame. */
  readonly frames: readonly (readonly [number, number])[]
  /** Brightness of the newest frame, 0 to 255. */
  readonly brightness: number
  /** Position of the player, seconds. */
  readonly currentTime: number
}

/** Runs in the page before its own code: notes each frame of each video, and when its connection was asked for. */
export const WATCH_SCRIPT = `(() => {
  const shown = new Map(), known = new WeakSet()
  const of = (nome) => shown.get(nome) ?? shown.set(nome, { nome, askedAt: 0, frames: [], brightness: 0 }).get(nome)
  const Socket = window.WebSocket
  window.WebSocket = class extends Socket {
    constructor(address, ...rest) {
      super(address, ...rest)
      const camera = /cameras\\/(\\d+)\\/transmissao.*prioridade=(\\w+)/.exec(address)
      if (camera) of(camera[2] === 'aberta' ? 'grande' : camera[1]).askedAt ||= Date.now()
    }
  }
  const bits = ${NUMBER_BITS}, number = new OffscreenCanvas(bits * 4, 4), whole = new OffscreenCanvas(16, 9)
  const g = number.getContext('2d', { willReadFrequently: true })
  const small = whole.getContext('2d', { willReadFrequently: true })
  const read = (video) => {
    const side = Math.round(video.videoWidth * ${BLOCK})
    g.drawImage(video, 0, 0, bits * side, side, 0, 0, bits * 4, 4)
    const { data } = g.getImageData(0, 0, bits * 4, 4)
    let value = 0
    for (let bit = 0; bit < bits; bit += 1) if (data[(2 * bits * 4 + bit * 4 + 2) * 4] > 128) value |= 1 << bit
    return value
  }
  const brightness = (video) => {
    small.drawImage(video, 0, 0, 16, 9)
    const { data } = small.getImageData(0, 0, 16, 9)
    return data.reduce((sum, value, at) => (at % 4 === 3 ? sum : sum + value), 0) / (16 * 9 * 3)
  }
  const watch = (video) => {
    known.add(video)
    const own = of(video.closest('[data-camera]')?.dataset.camera ?? 'grande')
    own.video = video
    const onFrame = () => {
      own.frames.push([Date.now(), read(video)])
      if (own.frames.length % 10 === 1) own.brightness = brightness(video)
      video.requestVideoFrameCallback(onFrame)
    }
    video.requestVideoFrameCallback(onFrame)
  }
  new MutationObserver(() => {
    for (const video of document.querySelectorAll('video')) if (!known.has(video)) watch(video)
  }).observe(document, { childList: true, subtree: true })
  window.shownVideos = () =>
    [...shown.values()].map(({ video, ...own }) => ({ ...own, currentTime: video?.currentTime ?? 0 }))
})()`

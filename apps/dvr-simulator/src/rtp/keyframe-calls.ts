/** Requests of an ONVIF client for a keyframe of one live stream, and the keyframes that nobody asked for. */
export interface KeyframeCalls {
  /** All clients of the stream get a keyframe now. */
  call(): void
  /** Runs `onCall` at each request, until the returned function is called. */
  hear(onCall: () => void): () => void
  /** Number of keyframes that clients got in their place in the group of pictures. */
  regular: number
}

/** The calls of each live stream of a channel. */
export interface ChannelKeyframes {
  readonly principal: KeyframeCalls
  readonly sub: KeyframeCalls
}

export const createKeyframes = (): ChannelKeyframes => ({ principal: createCalls(), sub: createCalls() })

function createCalls(): KeyframeCalls {
  const listeners = new Set<() => void>()
  return {
    call() {
      for (const listener of [...listeners]) listener()
    },
    hear(onCall) {
      listeners.add(onCall)
      return () => void listeners.delete(onCall)
    },
    regular: 0,
  }
}

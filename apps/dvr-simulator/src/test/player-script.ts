/**
 * A function for the browser: plays a file (`clip`), or parts through MSE (`mime`, `chunks`), all in base64, muted as
 * the pages do. It ends with `body`, which reads the finished `video` and returns the result.
 */
export const playerScript = (speed: number, body: string): string => `async ({ clip, mime, chunks }) => {
  const bytesOf = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  const once = (target, name) => new Promise((resolve) => target.addEventListener(name, resolve, { once: true }))
  const video = document.createElement('video')
  video.muted = true
  document.body.append(video)
  if (clip) video.src = URL.createObjectURL(new Blob([bytesOf(clip)], { type: 'video/mp4' }))
  else {
    const media = new MediaSource()
    video.src = URL.createObjectURL(media)
    await once(media, 'sourceopen')
    const buffer = media.addSourceBuffer(mime)
    for (const chunk of chunks) {
      buffer.appendBuffer(bytesOf(chunk))
      await once(buffer, 'updateend')
    }
    if (media.readyState === 'open') media.endOfStream()
  }
  video.playbackRate = ${speed}
  const over = Promise.race([once(video, 'ended'), once(video, 'error')])
  await video.play().catch(() => {})
  await over
  ${body}
}`

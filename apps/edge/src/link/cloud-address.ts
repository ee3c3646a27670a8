/** Address of `path` (from `/`, with a query) on the cloud, which may be below a path: `https://host/vigia`. */
export const belowCloud = (path: string, cloudUrl: string): URL => {
  const { origin, pathname } = new URL(cloudUrl)
  return new URL(origin + pathname.replace(/\/+$/, '') + path)
}

// An allow-list, which also excludes every spelling of `..`, absolute paths and device names.
const SAFE_PATH = /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9-]*)*\/[a-z0-9][a-z0-9-]*\.[a-z0-9]{1,8}$/

const SAFE_FOLDER = /^[a-z0-9][a-z0-9-]*(?:\/[a-z0-9][a-z0-9-]*)*$/

/** Whether a media store accepts this path. */
export const isMediaPath = (path: string): boolean => SAFE_PATH.test(path)

/** Returns the path of a file. @throws RangeError if it could leave the media store */
export function requireMediaPath(path: string): string {
  if (!isMediaPath(path)) throw new RangeError('Media path refused')
  return path
}

/** Returns the path of a folder. @throws RangeError if it could leave the media store */
export function requireMediaFolder(folder: string): string {
  if (!SAFE_FOLDER.test(folder)) throw new RangeError('Media path refused')
  return folder
}

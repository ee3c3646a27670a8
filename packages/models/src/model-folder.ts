import { fileURLToPath } from 'node:url'

/** Folder of one built-in model, with its file (`<id>.onnx`), its card and its data list. */
export const modelFolder = (id: string): string => fileURLToPath(new URL(`../${id}/`, import.meta.url))

/** The 80 classes of COCO detection in the order in which networks trained on it number them. */
export const cocoLabels = [
  'person',
  'bicycle',
  'car',
  'motorcycle',
  'airplane',
  'bus',
  'train',
  'truck',
  'boat',
  'traffic light',
  'fire hydrant',
  'stop sign',
  'parking meter',
  'bench',
  'bird',
  'cat',
  'dog',
  'horse',
  'sheep',
  'cow',
  'elephant',
  'bear',
  'zebra',
  'giraffe',
  'backpack',
  'umbrella',
  'handbag',
  'tie',
  'suitcase',
  'frisbee',
  'skis',
  'snowboard',
  'sports ball',
  'kite',
  'baseball bat',
  'baseball glove',
  'skateboard',
  'surfboard',
  'tennis racket',
  'bottle',
  'wine glass',
  'cup',
  'fork',
  'knife',
  'spoon',
  'bowl',
  'banana',
  'apple',
  'sandwich',
  'orange',
  'broccoli',
  'carrot',
  'hot dog',
  'pizza',
  'donut',
  'cake',
  'chair',
  'couch',
  'potted plant',
  'bed',
  'dining table',
  'toilet',
  'tv',
  'laptop',
  'mouse',
  'remote',
  'keyboard',
  'cell phone',
  'microwave',
  'oven',
  'toaster',
  'sink',
  'refrigerator',
  'book',
  'clock',
  'vase',
  'scissors',
  'teddy bear',
  'hair drier',
  'toothbrush',
] as const

/** Numbers, counted from 1, without a class in the 90-class numbering of TensorFlow's COCO networks. */
const unusedOf90 = new Set([12, 26, 29, 30, 45, 66, 68, 69, 71, 83])

/** The same classes in the 90-class numbering; an unused number is the empty label and is never reported. */
export function cocoLabels90(): string[] {
  const labels = cocoLabels[Symbol.iterator]()
  return Array.from({ length: 90 }, (_, index) => (unusedOf90.has(index + 1) ? '' : (labels.next().value ?? '')))
}

/** People, animals, bags, and vehicles that do not resemble cars: networks rarely confuse other objects with them. */
const distinct: ReadonlySet<string> = new Set([
  'person',
  'bird',
  'cat',
  'dog',
  'horse',
  'sheep',
  'cow',
  'elephant',
  'bear',
  'zebra',
  'giraffe',
  'bicycle',
  'motorcycle',
  'backpack',
  'handbag',
  'suitcase',
  'umbrella',
])
/** Vehicles that networks confuse with each other: one object often yields two of these labels. */
const vehicles: ReadonlySet<string> = new Set(['car', 'truck', 'bus'])

/**
 * All other COCO labels: furniture, tools, toys. Networks confuse vehicles seen from above with them (from-above.ts).
 */
export const things: ReadonlySet<string> = new Set(
  cocoLabels.filter((label) => !distinct.has(label) && !vehicles.has(label)),
)

const likeVehicle = (label: string): boolean => vehicles.has(label) || things.has(label)

/** Whether two labels may belong to one object. */
export const interchangeable = (a: string, b: string): boolean => a === b || (likeVehicle(a) && likeVehicle(b))

import {
  bytesField,
  floatField,
  integerField,
  integersField,
  messageField,
  textField,
} from './protobuf-writer.ts'

/** Element types and their numbers in the ONNX format. */
export const ELEMENT = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const
export type ElementType = keyof typeof ELEMENT

/** A constant of the graph. */
export interface OnnxTensor {
  name: string
  elementType: ElementType
  /** Sizes of its axes; empty for a scalar. */
  shape: readonly number[]
  /** The numbers, row by row, little-endian. */
  values: ArrayBufferView
}

export type OnnxAttribute = { integer: number } | { float: number }

export interface OnnxNode {
  operator: string
  /** Empty for the standard operators. */
  domain: string
  inputs: readonly string[]
  outputs: readonly string[]
  attributes: Readonly<Record<string, OnnxAttribute>>
}

/** An input or output tensor: an axis that is a text has any size. */
export interface OnnxValue {
  name: string
  elementType: ElementType
  shape: readonly (number | string)[]
}

export interface OnnxGraph {
  name: string
  nodes: readonly OnnxNode[]
  constants: readonly OnnxTensor[]
  inputs: readonly OnnxValue[]
  outputs: readonly OnnxValue[]
}

/** Version 9 of the format, which runtimes from 2024 on can read. */
const IR_VERSION = 9
const OPERATOR_SETS = [
  { domain: '', version: 20 },
  { domain: 'com.microsoft', version: 1 },
]

// Field numbers below are those of onnx.proto (ModelProto, GraphProto, NodeProto, AttributeProto, TensorProto).

const FLOAT_ATTRIBUTE = 1
const INTEGER_ATTRIBUTE = 2

const attributeFields = ([name, attribute]: [string, OnnxAttribute]): Uint8Array[] =>
  'integer' in attribute
    ? [textField(1, name), integerField(3, attribute.integer), integerField(20, INTEGER_ATTRIBUTE)]
    : [textField(1, name), floatField(2, attribute.float), integerField(20, FLOAT_ATTRIBUTE)]

const nodeFields = (node: OnnxNode): Uint8Array[] => [
  ...node.inputs.map((input) => textField(1, input)),
  ...node.outputs.map((output) => textField(2, output)),
  textField(3, node.outputs[0] ?? ''),
  textField(4, node.operator),
  ...Object.entries(node.attributes).map((entry) => messageField(5, attributeFields(entry))),
  textField(7, node.domain),
]

const tensorFields = ({ name, elementType, shape, values }: OnnxTensor): Uint8Array[] => [
  ...(shape.length === 0 ? [] : [integersField(1, shape)]),
  integerField(2, ELEMENT[elementType]),
  textField(8, name),
  bytesField(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
]

const axisFields = (size: number | string): Uint8Array[] =>
  typeof size === 'number' ? [integerField(1, size)] : [textField(2, size)]

function valueFields({ name, elementType, shape }: OnnxValue): Uint8Array[] {
  const shapeField = messageField(
    2,
    shape.map((size) => messageField(1, axisFields(size))),
  )
  const tensorType = messageField(1, [integerField(1, ELEMENT[elementType]), shapeField])
  return [textField(1, name), messageField(2, [tensorType])]
}

/** The bytes of an `.onnx` file. The output is deterministic. */
export function encodeOnnxFile(graph: OnnxGraph): Uint8Array {
  return Buffer.concat([
    integerField(1, IR_VERSION),
    textField(2, 'citewell'),
    messageField(7, [
      ...graph.nodes.map((node) => messageField(1, nodeFields(node))),
      textField(2, graph.name),
      ...graph.constants.map((constant) => messageField(5, tensorFields(constant))),
      ...graph.inputs.map((input) => messageField(11, valueFields(input))),
      ...graph.outputs.map((output) => messageField(12, valueFields(output))),
    ]),
    ...OPERATOR_SETS.map(({ domain, version }) =>
      messageField(8, [textField(1, domain), integerField(2, version)]),
    ),
  ])
}

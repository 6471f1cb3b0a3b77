import type { ElementType, OnnxAttribute, OnnxGraph, OnnxNode, OnnxTensor, OnnxValue } from './onnx-file.ts'

/** Collects the nodes and constants of a graph. Each function returns the name of what it added. */
export interface GraphBuilder {
  constant(name: string, elementType: ElementType, shape: readonly number[], values: ArrayBufferView): string
  /** A node that is named after its output. */
  node(
    operator: string,
    inputs: readonly string[],
    output: string,
    attributes?: Record<string, OnnxAttribute>,
  ): string
  /** A node with several outputs, or of a non-standard operator set. */
  addNode(node: OnnxNode): void
  finish(name: string, inputs: readonly OnnxValue[], outputs: readonly OnnxValue[]): OnnxGraph
}

export function createGraphBuilder(): GraphBuilder {
  const nodes: OnnxNode[] = []
  const constants: OnnxTensor[] = []
  return {
    constant(name, elementType, shape, values) {
      constants.push({ name, elementType, shape, values })
      return name
    },
    node(operator, inputs, output, attributes = {}) {
      nodes.push({ operator, domain: '', inputs, outputs: [output], attributes })
      return output
    },
    addNode: (node) => void nodes.push(node),
    finish: (name, inputs, outputs) => ({ name, nodes, constants, inputs, outputs }),
  }
}

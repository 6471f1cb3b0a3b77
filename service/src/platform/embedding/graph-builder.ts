import type { ElementType, OnnxAttribute, OnnxGraph, OnnxNode, OnnxTensor, OnnxValue } from './onnx-file.ts'

/** Collects the nodes and constants of a graph. Each function gives back the name of what it added. */
export interface GraphBuilder {
  constant(name: string, elementType: ElementType, shape: readonly number[], values: ArrayBufferView): string
  /** A node named by what comes out of it. */
  node(
    operator: string,
    inputs: readonly string[],
    output: string,
    attributes?: Record<string, OnnxAttribute>,
  ): string
  /** A node with several outputs, or of an operator set that is not the standard one. */
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

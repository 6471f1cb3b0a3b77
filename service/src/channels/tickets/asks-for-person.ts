/** Sentences of people who want a person. Only whole messages count: no model decides it, and no question is taken for one. */
const WANTS_PERSON = new Set([
  'agent',
  'human',
  'human please',
  'person',
  'talk to a person',
  'talk to a human',
  'talk to an agent',
  'speak to a person',
  'speak to a human',
  'i want to talk to a person',
  'i want to talk to a human',
  'i want a person',
  'get a person',
  'real person',
  'mensch',
  'mit einem menschen sprechen',
  'ich möchte mit einem menschen sprechen',
  'mitarbeiter',
  'parler à un humain',
  'je veux parler à une personne',
  'humain',
  'hablar con una persona',
  'quiero hablar con una persona',
  'persona',
])

/** Whether a message asks for a person and nothing else. */
export const asksForPerson = (words: string): boolean =>
  WANTS_PERSON.has(
    words
      .toLowerCase()
      .replaceAll(/[!.,?¡¿]/g, '')
      .trim(),
  )

/** The build puts a style sheet into the script as text: the widget makes constructable sheets of it. */
declare module '*.css?inline' {
  const text: string
  export default text
}

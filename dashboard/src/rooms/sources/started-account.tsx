/** What became of a connecting that was begun here. */
export const StartedAccount = ({
  name,
  isConnected,
  address,
}: {
  name: string
  isConnected: boolean
  address: string
}) => (
  <>
    <p role="status">
      {isConnected ? `${name} is connected.` : `Waiting until reading is allowed at ${name}.`}
    </p>
    {!isConnected && (
      <p>
        <a href={address} target="_blank" rel="noopener noreferrer">
          Open the page of {name}, if it did not open
        </a>
      </p>
    )}
  </>
)

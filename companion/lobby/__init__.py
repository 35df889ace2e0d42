"""The lobby: before a game. A form to begin one, and the list of those that can go on. No Kivy, no threads, no network."""

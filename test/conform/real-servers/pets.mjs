/** What a user writes for pets.openapi.yaml. */
export const createPets = () => {
  const pets = [{ id: 1, name: 'Rex', tag: 'dog' }]
  return {
    list: (limit = 100) => pets.slice(0, limit),
    add: ({ name, tag }) => {
      const pet = { id: pets.length + 1, name, ...(tag !== undefined && { tag }) }
      pets.push(pet)
      return pet
    },
    get: (id) => pets.find((pet) => pet.id === id),
  }
}
